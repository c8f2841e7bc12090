ALTER TABLE "sponsored_transactions" ADD COLUMN "of_user" text;--> statement-breakpoint
ALTER TABLE "sponsored_transactions" ADD COLUMN "of_environment" text;--> statement-breakpoint
ALTER TABLE "sponsored_transactions" ADD COLUMN "network_id" integer;--> statement-breakpoint
ALTER TABLE "sponsored_transactions" ADD COLUMN "lamports" bigint;--> statement-breakpoint
ALTER TABLE "sponsored_transactions" ADD COLUMN "last_block_height" bigint;--> statement-breakpoint
CREATE INDEX "sponsored_transactions_open" ON "sponsored_transactions" USING btree ("of_environment","last_block_height");