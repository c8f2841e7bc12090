/**
 * Maps the responses that each provider documents. The sandbox's stand-ins have the same authors as the mappings; these responses do
 * not: the README's table says where each is from. Fields that say nothing about the user are left out, and opaque values shortened.
 */
import { expect, it } from 'vitest'
import { type Answers, PROVIDERS, profileOf, type SocialProfile } from '../src/server/index.js'

interface Documented {
  readonly answers: Answers
  readonly profile: SocialProfile
}
const ANN = { name: 'Ann Archer', email: 'ann@example.com' }
const DOCUMENTED: Readonly<Record<string, Documented>> = {
  apple: {
    answers: {
      idToken: { sub: '001999.6d2f.1', email: 'ann@example.com', email_verified: 'true', is_private_email: 'true' },
      form: { user: { name: { firstName: 'Ann', lastName: 'Archer' }, email: 'ann@example.com' } },
    },
    profile: { id: '001999.6d2f.1', ...ANN, emailVerified: true },
  },
  bitbucket: {
    answers: {
      user: {
        type: 'user',
        links: { avatar: { href: 'https://bitbucket.org/account/tutorials/avatar/' } },
        created_on: '2011-12-20T16:34:07.132459+00:00',
        display_name: 'tutorials account',
        nickname: 'tutorials',
        uuid: '{c788b2da-b7a2-404c-9e26-d3f077557007}',
      },
      emails: { values: [{ is_primary: true, is_confirmed: true, type: 'email', email: 'tutorials@bitbucket.org' }] },
    },
    profile: {
      id: '{c788b2da-b7a2-404c-9e26-d3f077557007}',
      username: 'tutorials',
      name: 'tutorials account',
      email: 'tutorials@bitbucket.org',
      emailVerified: true,
      picture: 'https://bitbucket.org/account/tutorials/avatar/',
    },
  },
  coinbasesocial: {
    answers: {
      user: {
        data: {
          id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
          name: 'User One',
          username: 'user1',
          profile_url: 'https://coinbase.com/user1',
          avatar_url: 'https://images.coinbase.com/avatar?s=128',
          resource: 'user',
          email: 'user1@example.com',
        },
      },
    },
    profile: {
      id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
      username: 'user1',
      name: 'User One',
      email: 'user1@example.com',
      emailVerified: false,
      picture: 'https://images.coinbase.com/avatar?s=128',
    },
  },
  discord: {
    answers: {
      user: {
        id: '80351110224678912',
        username: 'Nelly',
        discriminator: '1337',
        avatar: '8342729096ea',
        verified: true,
        email: 'nelly@discord.com',
        banner: '06c16474723f',
      },
    },
    profile: {
      id: '80351110224678912',
      username: 'Nelly',
      name: 'Nelly',
      email: 'nelly@discord.com',
      emailVerified: true,
      picture: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea.png',
    },
  },
  epicgames: {
    answers: { user: { sub: '57cbfe9b0eb34ac6', preferred_username: 'krisreddig' } },
    profile: { id: '57cbfe9b0eb34ac6', username: 'krisreddig', name: 'krisreddig', emailVerified: false },
  },
  facebook: {
    answers: {
      user: {
        id: '10000000000000001',
        ...ANN,
        picture: { data: { is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/a.jpg', width: 50 } },
      },
    },
    profile: {
      id: '10000000000000001',
      ...ANN,
      emailVerified: false,
      picture: 'https://platform-lookaside.fbsbx.com/a.jpg',
    },
  },
  farcaster: {
    answers: {
      siwf: {
        state: 'completed',
        fid: 6841,
        username: 'alice',
        displayName: 'Alice',
        bio: "I'm a little teapot who didn't fill out my bio",
        pfpUrl: 'https://images.example.com/a.png',
      },
    },
    profile: {
      id: '6841',
      username: 'alice',
      name: 'Alice',
      emailVerified: false,
      picture: 'https://images.example.com/a.png',
    },
  },
  github: {
    answers: {
      user: {
        login: 'octocat',
        id: 1,
        node_id: 'MDQ6VXNlcjE=',
        avatar_url: 'https://github.com/octocat.gif',
        type: 'User',
        name: 'monalisa octocat',
        email: 'octocat@github.com',
      },
      emails: [{ email: 'octocat@github.com', verified: true, primary: true, visibility: 'public' }],
    },
    profile: {
      id: '1',
      username: 'octocat',
      name: 'monalisa octocat',
      email: 'octocat@github.com',
      emailVerified: true,
      picture: 'https://github.com/octocat.gif',
    },
  },
  gitlab: {
    answers: {
      idToken: { iss: 'https://gitlab.com', sub: '1574083' },
      user: {
        sub: '1574083',
        ...ANN,
        nickname: 'ann',
        preferred_username: 'ann',
        email_verified: true,
        profile: 'https://gitlab.com/ann',
        picture: 'https://gitlab.com/avatar/1574083/avatar.png',
      },
    },
    profile: {
      id: '1574083',
      username: 'ann',
      ...ANN,
      emailVerified: true,
      picture: 'https://gitlab.com/avatar/1574083/avatar.png',
    },
  },
  google: {
    answers: {
      idToken: {
        iss: 'https://accounts.google.com',
        azp: '1234987819200.apps.googleusercontent.com',
        sub: '10769150350006150715113082367',
        hd: 'example.com',
        email: 'jsmith@example.com',
        email_verified: 'true',
      },
    },
    profile: { id: '10769150350006150715113082367', email: 'jsmith@example.com', emailVerified: true },
  },
  instagram: {
    answers: { user: { data: [{ user_id: '17841405822304914', username: 'jaypowell' }] } },
    profile: { id: '17841405822304914', username: 'jaypowell', name: 'jaypowell', emailVerified: false },
  },
  kraken: {
    answers: { user: { result: { email: 'ann@example.com', iiban: 'AA97 N24G G4PD PAG6' }, errors: [] } },
    profile: { id: 'AA97 N24G G4PD PAG6', email: 'ann@example.com', emailVerified: false },
  },
  line: {
    answers: {
      idToken: {
        iss: 'https://access.line.me',
        sub: 'U1234567890abcdef',
        amr: ['pwd'],
        name: 'Taro Line',
        picture: 'https://sample_line.me/aBcdefg123456',
        email: 'taro.line@example.com',
      },
    },
    profile: {
      id: 'U1234567890abcdef',
      name: 'Taro Line',
      email: 'taro.line@example.com',
      emailVerified: false,
      picture: 'https://sample_line.me/aBcdefg123456',
    },
  },
  linkedin: {
    answers: {
      idToken: { sub: '782bbtaQ' },
      user: {
        sub: '782bbtaQ',
        name: 'John Doe',
        given_name: 'John',
        family_name: 'Doe',
        picture: 'https://media.licdn-ei.com/dms/image/profile-displayphoto/0/',
        email: 'doe@email.com',
        email_verified: true,
      },
    },
    profile: {
      id: '782bbtaQ',
      name: 'John Doe',
      email: 'doe@email.com',
      emailVerified: true,
      picture: 'https://media.licdn-ei.com/dms/image/profile-displayphoto/0/',
    },
  },
  microsoft: {
    answers: {
      idToken: {
        ver: '2.0',
        sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
        name: 'Abe Lincoln',
        preferred_username: 'AbeLi@microsoft.com',
        oid: '00000000-0000-0000-66f3-3332eca7ea81',
        tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
      },
    },
    profile: {
      id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      username: 'AbeLi@microsoft.com',
      name: 'Abe Lincoln',
      emailVerified: false,
    },
  },
  shopify: {
    answers: {
      token: {
        access_token: 'f85632530bf277ec9ac6f649fc327f17',
        associated_user_scope: 'write_orders',
        associated_user: {
          id: 902541635,
          first_name: 'John',
          last_name: 'Smith',
          email: 'john@example.com',
          email_verified: true,
          account_owner: true,
        },
      },
    },
    profile: { id: '902541635', name: 'John Smith', email: 'john@example.com', emailVerified: true },
  },
  spotify: {
    answers: {
      user: {
        account_id: 'aB3dE5fG7h',
        display_name: 'JM Wizzler',
        email: 'email@example.com',
        href: 'https://api.spotify.com/v1/users/wizzler',
        id: 'wizzler',
        images: [{ height: null, url: 'https://fbcdn-profile-a.akamaihd.net/a.jpg', width: null }],
      },
    },
    profile: {
      id: 'aB3dE5fG7h',
      name: 'JM Wizzler',
      email: 'email@example.com',
      emailVerified: false,
      picture: 'https://fbcdn-profile-a.akamaihd.net/a.jpg',
    },
  },
  steam: {
    answers: {
      openid: { id: '76561197960435530' },
      players: {
        response: {
          players: [
            {
              steamid: '76561197960435530',
              personaname: 'Robin',
              profileurl: 'https://steamcommunity.com/id/robinwalker/',
              avatarfull: 'https://avatars.steamstatic.com/f1dd_full.jpg',
              realname: 'Robin Walker',
            },
          ],
        },
      },
    },
    profile: {
      id: '76561197960435530',
      username: 'Robin',
      name: 'Robin Walker',
      emailVerified: false,
      picture: 'https://avatars.steamstatic.com/f1dd_full.jpg',
    },
  },
  telegram: {
    answers: {
      fields: { id: '42', first_name: 'John', last_name: 'Doe', username: 'jd', photo_url: 'https://t.me/i/a.jpg' },
    },
    profile: { id: '42', username: 'jd', name: 'John Doe', emailVerified: false, picture: 'https://t.me/i/a.jpg' },
  },
  tiktok: {
    answers: {
      user: {
        data: {
          user: {
            avatar_url: 'https://p19-sign.tiktokcdn-us.com/b17f0e4b.jpeg',
            open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
            union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
          },
        },
        error: { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' },
      },
    },
    profile: {
      id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      emailVerified: false,
      picture: 'https://p19-sign.tiktokcdn-us.com/b17f0e4b.jpeg',
    },
  },
  twitch: {
    answers: {
      users: {
        data: [
          {
            id: '141981764',
            login: 'twitchdev',
            display_name: 'TwitchDev',
            profile_image_url: 'https://static-cdn.jtvnw.net/8a6381c7.png',
            email: 'not-real@email.com',
          },
        ],
      },
    },
    profile: {
      id: '141981764',
      username: 'twitchdev',
      name: 'TwitchDev',
      email: 'not-real@email.com',
      emailVerified: true,
      picture: 'https://static-cdn.jtvnw.net/8a6381c7.png',
    },
  },
  twitter: {
    answers: {
      user: { data: { username: 'TwitterDev', pinned_tweet_id: '125', id: '2244994945', name: 'Twitter Dev' } },
      address: { data: { id: '2244994945', confirmed_email: 'dev@example.com' } },
    },
    profile: {
      id: '2244994945',
      username: 'TwitterDev',
      name: 'Twitter Dev',
      email: 'dev@example.com',
      emailVerified: true,
    },
  },
}

it.each(PROVIDERS)('$id: reads the profile from its documented response', ({ id, profile }) => {
  const documented = DOCUMENTED[id]
  if (!documented) throw new Error(`no documented answer of ${id}`)
  expect(profileOf(profile, documented.answers)).toEqual(documented.profile)
})
it('reads an Instagram account from a response without the list around it', () => {
  const instagram = PROVIDERS.find(({ id }) => id === 'instagram')
  const answers = { user: { user_id: '17841405822304914', username: 'jaypowell' } }
  expect(instagram && profileOf(instagram.profile, answers)).toMatchObject({ id: '17841405822304914' })
})
