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
ALTER TABLE "users" ADD COLUMN "deletes_at" bigint;--> statement-breakpoint
ALTER TABLE "embedded_wallets" ADD CONSTRAINT "embedded_wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "embedded_wallets_wallet" ON "embedded_wallets" USING btree ("environment_id","wallet_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embedded_wallets_address" ON "embedded_wallets" USING btree ("environment_id","address") WHERE "embedded_wallets"."status" = 'active';--> statement-breakpoint
CREATE INDEX "embedded_wallets_user" ON "embedded_wallets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_deletion" ON "users" USING btree ("deletes_at");