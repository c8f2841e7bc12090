export * from '@keybay/sandbox-tools/testing/totp'
