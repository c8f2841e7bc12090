import { expectNoDrift } from '@keybay/sandbox-service/testing/schema-drift'
import { it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import * as schema from '../src/db/schema.js'

it("the migration creates the custody service's tables as the schema in code describes them", () =>
  expectNoDrift(schema, openDatabase))
