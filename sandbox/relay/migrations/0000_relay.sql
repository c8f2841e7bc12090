CREATE TABLE "audit" (
	"set_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"entry" text NOT NULL,
	"hash" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "audit_set_id_sequence_at_pk" PRIMARY KEY("set_id","sequence","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "audit_default" PARTITION OF "audit" DEFAULT;
--> statement-breakpoint
CREATE TABLE "audit_checkpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" integer NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "archives" (
	"file" text PRIMARY KEY NOT NULL,
	"rows" integer NOT NULL,
	"sha256" text NOT NULL,
	"archived_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ceremonies" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"wallet_id" text NOT NULL,
	"set_id" text NOT NULL,
	"device_key" jsonb NOT NULL,
	"step" text NOT NULL,
	"body_hash" text NOT NULL,
	"answer" text NOT NULL,
	"facts" jsonb NOT NULL,
	"state" text,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"heads" jsonb NOT NULL,
	"due_at" bigint NOT NULL,
	"started_at" bigint,
	"done_at" bigint
);
--> statement-breakpoint
CREATE TABLE "export_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"report" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "joins" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_id" text NOT NULL,
	"set_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"device_key" jsonb NOT NULL,
	"thumbprint" text NOT NULL,
	"sealing_key" text NOT NULL,
	"ceremony_id" text,
	"dealt" jsonb,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nonces" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pending_wallets" (
	"wallet_id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"address" text NOT NULL,
	"set_id" text NOT NULL,
	"record" text NOT NULL,
	"withdrawal" text,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "records" (
	"sequence" integer PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"generation" integer NOT NULL,
	"record" text NOT NULL,
	"policy" text NOT NULL,
	"record_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "share_sets" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_id" text NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"public_set" text NOT NULL,
	"epoch" integer NOT NULL,
	"share" text,
	"record" text NOT NULL,
	"device_key" jsonb NOT NULL,
	"thumbprint" text NOT NULL,
	"failures" integer NOT NULL,
	"locked_at" bigint,
	"frozen_at" bigint,
	"quarantined_at" bigint,
	"lost_at" bigint,
	"blocked_at" bigint,
	"owner" text,
	"policy" jsonb,
	"unconfirmed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"counters" jsonb NOT NULL,
	"version" integer NOT NULL,
	"audit_sequence" integer NOT NULL,
	"audit_head" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"address" text NOT NULL,
	"chain" text NOT NULL,
	"scheme" text NOT NULL,
	"origin" text NOT NULL,
	"exportable" boolean NOT NULL,
	"exported" boolean NOT NULL,
	"sealed_seed" text,
	"created_at" bigint NOT NULL,
	"spent" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"spent_version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "share_sets" ADD CONSTRAINT "share_sets_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ceremonies_expiry" ON "ceremonies" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ceremonies_set" ON "ceremonies" USING btree ("set_id");--> statement-breakpoint
CREATE INDEX "erasures_due" ON "erasures" USING btree ("environment_id","due_at");--> statement-breakpoint
CREATE INDEX "joins_wallet" ON "joins" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "nonces_expiry" ON "nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_wallets_expiry" ON "pending_wallets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_wallets_user" ON "pending_wallets" USING btree ("environment_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "records_wallet" ON "records" USING btree ("wallet_id","generation");--> statement-breakpoint
CREATE INDEX "share_sets_wallet" ON "share_sets" USING btree ("wallet_id");--> statement-breakpoint
CREATE INDEX "share_sets_user" ON "share_sets" USING btree ("environment_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_address" ON "wallets" USING btree ("environment_id","address");--> statement-breakpoint
CREATE INDEX "wallets_user" ON "wallets" USING btree ("environment_id","user_id");--> statement-breakpoint
CREATE FUNCTION "is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME; END $$;--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "is_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_default" FOR EACH STATEMENT EXECUTE FUNCTION "is_append_only"();--> statement-breakpoint
CREATE TRIGGER "records_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "records" FOR EACH STATEMENT EXECUTE FUNCTION "is_append_only"();--> statement-breakpoint
CREATE INDEX "rate_limits_reset" ON "rate_limits" USING btree ("resets_at");
