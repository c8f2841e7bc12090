CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"last_used_at" bigint,
	CONSTRAINT "api_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"envelope" text NOT NULL,
	"size" integer NOT NULL,
	"digest" text NOT NULL,
	"created_at" bigint NOT NULL,
	"frame_key" text NOT NULL,
	"erased_at" bigint,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "backups_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1)
);
--> statement-breakpoint
CREATE TABLE "ceremonies" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"kind" text NOT NULL,
	"thumbprint" text NOT NULL,
	"user_id" text,
	"secret_hash" text,
	"data" jsonb NOT NULL,
	"attempts" integer NOT NULL,
	"expires_at" bigint NOT NULL,
	"consumed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "client_logs" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"received_at" bigint NOT NULL,
	"entry" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"method" text NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"name" text,
	"profile" jsonb,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embedded_wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"set_id" text NOT NULL,
	"chain" text NOT NULL,
	"address" text NOT NULL,
	"name" text,
	"status" text NOT NULL,
	"epoch" integer NOT NULL,
	"recorded_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "frame_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"thumbprint" text NOT NULL,
	"created_at" bigint NOT NULL,
	"factor_at" bigint,
	"statement_id" text
);
--> statement-breakpoint
CREATE TABLE "frame_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"rp_id" text NOT NULL,
	"passkey_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"device_id" text,
	"credential_id" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "instructions" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"target" text NOT NULL,
	"kind" text NOT NULL,
	"organization_id" text,
	"revision" text NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mfa_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"method" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text,
	"failures" integer NOT NULL,
	"sealed" text,
	"last_step" bigint,
	"created_at" bigint NOT NULL,
	"confirmed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "mfa_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"action" text NOT NULL,
	"request_hash" text NOT NULL,
	"credential_id" text,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"address" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" bigint NOT NULL,
	"device" text,
	"network" text,
	"detail" text,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "security_events_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1)
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"user_id" text NOT NULL,
	"thumbprint" text NOT NULL,
	"public_key" jsonb NOT NULL,
	"credential_id" text,
	"method" text NOT NULL,
	"has_second_factor" boolean NOT NULL,
	"auth_time" bigint NOT NULL,
	"storage" text NOT NULL,
	"user_agent" text,
	"refresh_counter" integer NOT NULL,
	"rotated_at" bigint,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "social_tokens" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sponsor_spending" (
	"id" text PRIMARY KEY NOT NULL,
	"day" integer NOT NULL,
	"lamports" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sponsored_transactions" (
	"signature" text PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"of_user" text,
	"of_environment" text,
	"network_id" integer,
	"lamports" bigint,
	"last_block_height" bigint
);
--> statement-breakpoint
CREATE TABLE "sponsors" (
	"environment_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"environment_id" text NOT NULL,
	"username" text,
	"metadata" jsonb NOT NULL,
	"passkey_handle" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_sign_in_at" bigint NOT NULL,
	"deletes_at" bigint,
	"blocked_at" bigint,
	"recovery_failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ceremonies" ADD CONSTRAINT "ceremonies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embedded_wallets" ADD CONSTRAINT "embedded_wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_keys" ADD CONSTRAINT "frame_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_device_id_mfa_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."mfa_devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_devices" ADD CONSTRAINT "mfa_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_devices" ADD CONSTRAINT "mfa_devices_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD CONSTRAINT "mfa_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD CONSTRAINT "mfa_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD CONSTRAINT "mfa_tokens_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_tokens" ADD CONSTRAINT "social_tokens_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backups_content" ON "backups" USING btree ("user_id","wallet_id","digest");--> statement-breakpoint
CREATE INDEX "backups_erased" ON "backups" USING btree ("erased_at");--> statement-breakpoint
CREATE INDEX "ceremonies_expiry" ON "ceremonies" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ceremonies_secret" ON "ceremonies" USING btree ("secret_hash") WHERE "ceremonies"."kind" = 'social';--> statement-breakpoint
CREATE INDEX "client_logs_time" ON "client_logs" USING btree ("environment_id","received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_subject" ON "credentials" USING btree ("environment_id","method","provider","subject");--> statement-breakpoint
CREATE INDEX "credentials_user" ON "credentials" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "credentials_name" ON "credentials" USING btree ("environment_id","method","name");--> statement-breakpoint
CREATE UNIQUE INDEX "embedded_wallets_wallet" ON "embedded_wallets" USING btree ("environment_id","wallet_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embedded_wallets_address" ON "embedded_wallets" USING btree ("environment_id","address") WHERE "embedded_wallets"."status" = 'active';--> statement-breakpoint
CREATE INDEX "embedded_wallets_user" ON "embedded_wallets" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "frame_keys_user" ON "frame_keys" USING btree ("user_id","thumbprint");--> statement-breakpoint
CREATE UNIQUE INDEX "frame_passkeys_id" ON "frame_passkeys" USING btree ("environment_id","rp_id","passkey_id");--> statement-breakpoint
CREATE INDEX "frame_passkeys_user" ON "frame_passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "instructions_due" ON "instructions" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "instructions_user" ON "instructions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mfa_devices_user" ON "mfa_devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notices_due" ON "notices" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "proofs_expiry" ON "proofs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_credential" ON "sessions" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "security_events_user" ON "security_events" USING btree ("user_id","at","sequence");--> statement-breakpoint
CREATE INDEX "security_events_kind" ON "security_events" USING btree ("environment_id","kind","at");--> statement-breakpoint
CREATE UNIQUE INDEX "security_events_device" ON "security_events" USING btree ("user_id","device","network") WHERE "security_events"."kind" = 'new-device';--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sponsored_transactions_time" ON "sponsored_transactions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sponsored_transactions_open" ON "sponsored_transactions" USING btree ("of_environment","last_block_height");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree ("environment_id",lower("username"));--> statement-breakpoint
CREATE INDEX "users_deletion" ON "users" USING btree ("deletes_at");--> statement-breakpoint
CREATE FUNCTION "security_events_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
		IF NOT EXISTS (SELECT 1 FROM "users" WHERE "id" = OLD."user_id") THEN RETURN OLD; END IF;
	END IF;
	RAISE EXCEPTION 'the security log is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER "security_events_are_append_only" BEFORE UPDATE OR DELETE ON "security_events" FOR EACH ROW EXECUTE FUNCTION "security_events_are_append_only"();--> statement-breakpoint
CREATE TRIGGER "security_events_are_not_truncated" BEFORE TRUNCATE ON "security_events" FOR EACH STATEMENT EXECUTE FUNCTION "security_events_are_append_only"();--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_revoked" ON "sessions" USING btree ("revoked_at") WHERE "sessions"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "ceremonies_user" ON "ceremonies" USING btree ("user_id") WHERE "ceremonies"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "mfa_devices_credential" ON "mfa_devices" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "mfa_tokens_user" ON "mfa_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mfa_tokens_session" ON "mfa_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "mfa_tokens_credential" ON "mfa_tokens" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "mfa_tokens_expiry" ON "mfa_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "frame_passkeys_device" ON "frame_passkeys" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "frame_passkeys_credential" ON "frame_passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "api_tokens_environment" ON "api_tokens" USING btree ("environment_id","expires_at");--> statement-breakpoint
CREATE INDEX "api_tokens_expiry" ON "api_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sponsor_spending_day" ON "sponsor_spending" USING btree ("day");--> statement-breakpoint
CREATE INDEX "rate_limits_reset" ON "rate_limits" USING btree ("resets_at");
