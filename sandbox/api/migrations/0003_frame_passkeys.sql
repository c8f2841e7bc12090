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
ALTER TABLE "mfa_tokens" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_device_id_mfa_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."mfa_devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_passkeys" ADD CONSTRAINT "frame_passkeys_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "frame_passkeys_id" ON "frame_passkeys" USING btree ("environment_id","rp_id","passkey_id");--> statement-breakpoint
CREATE INDEX "frame_passkeys_user" ON "frame_passkeys" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "mfa_tokens" ADD CONSTRAINT "mfa_tokens_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;