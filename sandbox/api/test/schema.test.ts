import { expectNoDrift } from '@keybay/sandbox-service/testing/schema-drift'
import { it } from 'vitest'
import { definition, openDatabase } from '../src/db/open.js'

it("creates the API's tables by migration as the schema in code describes them", () =>
  expectNoDrift(definition.schema, openDatabase))
