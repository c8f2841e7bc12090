export * from '@keybay/sandbox-tools/testing/software-authenticator'
