export { expectedUsd } from './pricing/expected-usd.ts'
