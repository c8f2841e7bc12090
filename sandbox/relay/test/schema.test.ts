import { expectNoDrift } from '@keybay/sandbox-service/testing/schema-drift'
import { it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import * as schema from '../src/db/schema.js'

it('the migration of the relay creates the tables that the schema in code describes', () =>
  expectNoDrift(schema, openDatabase))
