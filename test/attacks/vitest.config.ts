import suite from '../vitest.config.ts'

/**
 * One attack after the other, by `npm run test:attacks:each`. Not part of `npm test` as long as some of them take more than
 * their budget.
 */
export default { ...suite, test: { ...suite.test, include: ['test/attacks/each-attack.ts'], maxWorkers: 1 } }
