CREATE TABLE "sponsor_spending" (
	"id" text PRIMARY KEY NOT NULL,
	"day" integer NOT NULL,
	"lamports" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sponsored_transactions" (
	"signature" text PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sponsors" (
	"environment_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sponsored_transactions_time" ON "sponsored_transactions" USING btree ("created_at");