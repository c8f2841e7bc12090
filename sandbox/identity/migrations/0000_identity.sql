CREATE TABLE "cloud_assets" (
	"receipt" text PRIMARY KEY NOT NULL,
	"container" text NOT NULL,
	"environment" text NOT NULL,
	"owner" text NOT NULL,
	"record_type" text NOT NULL,
	"field_name" text NOT NULL,
	"file_checksum" text NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cloud_records" (
	"container" text NOT NULL,
	"environment" text NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"fields" jsonb NOT NULL,
	"change_tag" text NOT NULL,
	"created_at" bigint NOT NULL,
	"modified_at" bigint NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "cloud_records_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "cloud_records_container_environment_owner_name_pk" PRIMARY KEY("container","environment","owner","name")
);
--> statement-breakpoint
CREATE TABLE "drive_files" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"app_properties" jsonb NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" bigint NOT NULL,
	"modified_at" bigint NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "drive_files_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1)
);
--> statement-breakpoint
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
CREATE INDEX "drive_files_owner" ON "drive_files" USING btree ("owner","client_id","sequence");--> statement-breakpoint
CREATE INDEX "records_grant" ON "records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "records_uid" ON "records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "records_expiry" ON "records" USING btree ("expires_at");