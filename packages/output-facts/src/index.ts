export { outputFacts } from './plugin/output-facts.ts'
export { outputList, type OutputList, type OutputObject } from './wire/output-list.ts'
