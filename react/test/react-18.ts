/** Setup of the test project `react-18`: React DOM 18 is not bundled, so its own `require('react')` is answered here. */
import { createRequire } from 'node:module'
import { version } from 'react'

const require = createRequire(import.meta.url)
const react = require.resolve('react-18')
require(react)
require.cache[require.resolve('react')] = require.cache[react]

if (!version.startsWith('18.')) throw new Error(`These tests must run on React 18, not on ${version}.`)
