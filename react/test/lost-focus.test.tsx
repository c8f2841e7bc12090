// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, it } from 'vitest'
import { useLostFocus } from '../src/ui/index.js'
import { freshPages, host, render, settle } from './helpers.js'

freshPages()

function List() {
  const [rows, setRows] = useState<readonly string[]>()
  const heading = useLostFocus<HTMLHeadingElement>(rows?.length)
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Rows
      </h2>
      <button type="button" onClick={() => setRows(['a'])}>
        Load
      </button>
      {rows?.map(row => (
        <button key={row} type="button" onClick={() => setRows([])}>
          {row}
        </button>
      ))}
    </>
  )
}

it('a list that loads takes no focus, and its heading takes the focus of a row that is removed', async () => {
  await render(host().keybay, <List />)
  const [load] = document.querySelectorAll('button')
  await settle(() => load?.click())
  const row = document.querySelectorAll('button')[1]
  expect(row?.textContent).toBe('a')
  expect(document.activeElement).toBe(document.body)
  await settle(() => {
    row?.focus()
    row?.click()
  })
  expect(document.activeElement?.textContent).toBe('Rows')
})
