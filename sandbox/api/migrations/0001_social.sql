CREATE TABLE "social_tokens" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credentials" ADD COLUMN "profile" jsonb;--> statement-breakpoint
ALTER TABLE "social_tokens" ADD CONSTRAINT "social_tokens_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ceremonies_secret" ON "ceremonies" USING btree ("secret_hash");