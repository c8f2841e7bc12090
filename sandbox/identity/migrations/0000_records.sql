CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "records" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"grant_id" text,
	"uid" text,
	"consumed_at" bigint,
	"expires_at" bigint,
	CONSTRAINT "records_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE INDEX "records_grant" ON "records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "records_uid" ON "records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "records_expiry" ON "records" USING btree ("expires_at");