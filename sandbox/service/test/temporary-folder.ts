/** Gives a test, or a whole test file, a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Creates a folder that is removed after the running test; outside a test, after the tests of this file or group. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (TestRunner.getCurrentTest()) onTestFinished(remove)
  else afterAll(remove)
  return folder
}
