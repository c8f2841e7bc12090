// @vitest-environment happy-dom
import { connectorConformance, mockLogin } from '../src/testing/index.js'
import {
  loginExpectations,
  redirectExpectations,
  stageLogin,
  stageRedirect,
  stageWallet,
  walletExpectations,
} from './testing-scenes.js'

connectorConformance(stageWallet(), walletExpectations)
connectorConformance(stageLogin, loginExpectations)
// One that asks the user: the suite answers, dismisses, or leaves the question open.
connectorConformance(() => mockLogin({ id: 'asking', choices: ['work', 'home'] }).plugin, {
  id: 'asking',
  kind: 'login',
  stages: ['refuses', 'is-away'],
})
connectorConformance(stageRedirect, redirectExpectations())
