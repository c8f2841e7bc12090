ALTER TABLE "votes" ADD COLUMN "credential" text DEFAULT 'CREDENTIAL_TYPE_API_KEY_P256' NOT NULL;--> statement-breakpoint
ALTER TABLE "votes" ADD COLUMN "credential_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "votes" ADD COLUMN "is_verified" boolean DEFAULT false NOT NULL;
