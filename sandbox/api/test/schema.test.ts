import { expectNoDrift } from '@keybay/sandbox-service/testing/schema-drift'
import { it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import * as schema from '../src/db/schema.js'

it("creates the API's tables by migration as the schema in code describes them", () =>
  expectNoDrift(schema, openDatabase))
