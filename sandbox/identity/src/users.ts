/** Fictional users of the sandbox. Each of them has an account with every provider. */

export interface User {
  /** Key in forms and tests. */
  readonly key: string
  /** Account number at providers that use numbers. */
  readonly number: number
  readonly username: string
  readonly givenName?: string
  readonly familyName?: string
  readonly email: string
  /** True if the user has proved that the address is theirs. */
  readonly emailVerified: boolean
  readonly picture?: string
  /** Description in the chooser. */
  readonly about: string
}

function picture(key: string): string {
  return `https://pictures.example/${key}.png`
}

export const USERS: readonly User[] = [
  {
    key: 'ann',
    number: 100_001,
    username: 'ann.archer',
    givenName: 'Ann',
    familyName: 'Archer',
    email: 'ann@people.example',
    emailVerified: true,
    picture: picture('ann'),
    about: 'verified address, picture',
  },
  {
    key: 'ben',
    number: 100_002,
    username: 'ben_b',
    givenName: 'Ben',
    familyName: 'Baker',
    email: 'ben@people.example',
    emailVerified: false,
    picture: picture('ben'),
    about: 'address not verified',
  },
  {
    key: 'cleo',
    number: 100_003,
    username: 'cleo3',
    givenName: 'Cleo',
    familyName: 'Çelik',
    email: 'cleo@people.example',
    emailVerified: true,
    about: 'no picture',
  },
  {
    key: 'dan',
    number: 100_004,
    username: 'dan',
    email: 'dan@people.example',
    emailVerified: true,
    picture: picture('dan'),
    about: 'no name',
  },
  {
    key: 'mallory',
    number: 100_005,
    username: 'mallory',
    givenName: 'Mallory',
    familyName: 'Moss',
    // Claims Ann's address, without proof that it is hers.
    email: 'ann@people.example',
    emailVerified: false,
    picture: picture('mallory'),
    about: 'claims Ann’s address, not verified',
  },
]

export function getUser(key: unknown): User | undefined {
  return USERS.find(user => user.key === key)
}

/** Returns the full name; undefined for a user without a name. */
export function fullName({ givenName, familyName }: User): string | undefined {
  return [givenName, familyName].filter(Boolean).join(' ') || undefined
}

export function displayName(user: User): string {
  return fullName(user) ?? user.username
}

/** Returns the requested fields of a user, for providers that let the app choose. */
export function pick(all: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}
