/** Recognises the sandbox's client secrets, which are public, without containing them: a test compares the two. */
import { createHash } from 'node:crypto'

/** SHA-256, 16 bytes, hex. */
const DIGESTS: ReadonlySet<string> = new Set([
  '485a07a8fb7b1b3b375f176d26129a5d', // apple
  'de8808a1c125ca06148ce5b72f5caa47', // bitbucket
  '00271983c87a0de3cf27f14c07024086', // coinbasesocial
  'b6976955018e5a100d062e6e4faffc7c', // discord
  '87beda11ab53d6ca0406c72b75edbcfa', // epicgames
  'b6b66ea39cd95e977bda70c5fa9cafbc', // facebook
  'e72f2f5c3cfe045c9ebeb3dfb59f6213', // farcaster
  '8ff11110395cc75b6529bfd8dfb7e579', // github
  '722c4359fa4b99637fd325a360f924b7', // gitlab
  '1079febf117bd3d93b3a9a905a1938e3', // google
  '1b10de39d5ab2007d36fb83782c70c9d', // instagram
  'e8444a9c3c4d5aa7649bd86f349df6c0', // linkedin
  'dc4ac75798ad85e17c0b4b57254e79bb', // microsoft
  '4c6eefb277188383256185f5d596d68b', // twitch
  'fb172391b7d7d8bd18aab018610b5b2e', // twitter
  '0d802ad576483511fd2d8141ea103bca', // telegram
  '2daa9a2939b8f80b9ecc4c55176acc54', // spotify
  'f0c6cb3e42182db73cff4220514fb96a', // tiktok
  '7632d3cf048248546eb1d5fec3675d96', // line
  'cc64412099355128bcad8fb798426f63', // steam
  'f76e898d1991cb5440a726f0b963ef5b', // shopify
  '26bc5a8b03a49c80d3b29da74e459a1d', // kraken
])

export function isPublishedSecret(secret: string): boolean {
  return DIGESTS.has(createHash('sha256').update(secret.trim()).digest('hex').slice(0, 32))
}
