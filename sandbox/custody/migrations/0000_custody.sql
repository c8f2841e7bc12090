CREATE TABLE "activities" (
	"id" text NOT NULL,
	"organization_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"result" jsonb,
	"failure" jsonb,
	"user_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "activities_id_created_at_pk" PRIMARY KEY("id","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
CREATE TABLE "activities_default" PARTITION OF "activities" DEFAULT;
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"type" text NOT NULL,
	"expiration_seconds" integer,
	"expires_at" bigint,
	"used_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "archives" (
	"file" text PRIMARY KEY NOT NULL,
	"rows" integer NOT NULL,
	"sha256" text NOT NULL,
	"archived_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"organization_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"entry" text NOT NULL,
	"hash" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "audit_organization_id_sequence_at_pk" PRIMARY KEY("organization_id","sequence","at")
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
CREATE TABLE "authenticators" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"rp_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"attestation_type" text NOT NULL,
	"aaguid" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fingerprints" (
	"organization_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"activity_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "fingerprints_organization_id_fingerprint_pk" PRIMARY KEY("organization_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"user_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"parent_id" text,
	"name" text NOT NULL,
	"root_user_ids" jsonb NOT NULL,
	"root_threshold" integer NOT NULL,
	"email_recovery" boolean NOT NULL,
	"audit_sequence" integer NOT NULL,
	"audit_hash" text NOT NULL,
	"created_at" bigint NOT NULL,
	"blocked_at" bigint,
	"erasure_asked_at" bigint,
	"erases_at" bigint,
	"erased_at" bigint
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"effect" text NOT NULL,
	"condition" text NOT NULL,
	"consensus" text NOT NULL,
	"notes" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"curve" text NOT NULL,
	"addresses" jsonb NOT NULL,
	"public_key" text NOT NULL,
	"sealed_key" text NOT NULL,
	"exported" boolean NOT NULL,
	"imported" boolean NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "votes" (
	"id" text PRIMARY KEY NOT NULL,
	"activity_id" text NOT NULL,
	"user_id" text NOT NULL,
	"selection" text NOT NULL,
	"credential" text DEFAULT 'CREDENTIAL_TYPE_API_KEY_P256' NOT NULL,
	"credential_id" text DEFAULT '' NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"public_key" text NOT NULL,
	"signature" text NOT NULL,
	"scheme" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"curve" text NOT NULL,
	"path" text NOT NULL,
	"address_format" text NOT NULL,
	"address" text NOT NULL,
	"public_key" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"sealed_mnemonic" text NOT NULL,
	"exported" boolean NOT NULL,
	"imported" boolean NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "wallet_accounts" ADD CONSTRAINT "wallet_accounts_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_status" ON "activities" USING btree ("status");--> statement-breakpoint
CREATE INDEX "activities_created" ON "activities" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key" ON "api_keys" USING btree ("organization_id","public_key");--> statement-breakpoint
CREATE INDEX "api_keys_public" ON "api_keys" USING btree ("public_key");--> statement-breakpoint
CREATE UNIQUE INDEX "authenticators_credential" ON "authenticators" USING btree ("organization_id","credential_id");--> statement-breakpoint
CREATE INDEX "authenticators_id" ON "authenticators" USING btree ("credential_id");--> statement-breakpoint
CREATE UNIQUE INDEX "import_keys_user" ON "import_keys" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "organizations_erasure" ON "organizations" USING btree ("erases_at");--> statement-breakpoint
CREATE INDEX "organizations_parent" ON "organizations" USING btree ("parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "policies_name" ON "policies" USING btree ("organization_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "private_keys_name" ON "private_keys" USING btree ("organization_id","name");--> statement-breakpoint
CREATE INDEX "users_organization" ON "users" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "votes_user" ON "votes" USING btree ("activity_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_accounts_path" ON "wallet_accounts" USING btree ("wallet_id","path","address_format");--> statement-breakpoint
CREATE INDEX "wallet_accounts_address" ON "wallet_accounts" USING btree ("organization_id","address");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_name" ON "wallets" USING btree ("organization_id","name");--> statement-breakpoint
CREATE FUNCTION "is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME; END $$;--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "is_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_default" FOR EACH STATEMENT EXECUTE FUNCTION "is_append_only"();--> statement-breakpoint
CREATE INDEX "rate_limits_reset" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "organizations_erased" ON "organizations" USING btree ("erased_at");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "authenticators_user" ON "authenticators" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "import_keys_time" ON "import_keys" USING btree ("created_at");
