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
CREATE INDEX "pending_wallets_expiry" ON "pending_wallets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_wallets_user" ON "pending_wallets" USING btree ("environment_id","user_id");