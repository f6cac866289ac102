export { mostSpreadOutputs, spreadOutputs } from './spreading/spread-outputs.ts'
