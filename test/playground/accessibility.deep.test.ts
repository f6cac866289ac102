// @module-tag needs/chromium
import { testAccessibleStates } from './test-accessible-states.ts'

// In `npm test` light colours are checked by all rules. The other rules do not look at colours.
testAccessibleStates('dark', 'the rules about colours', { runOnly: ['cat.color'] })
