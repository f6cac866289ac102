export { createGenerationService, type StoredServiceOptions } from './service/create-stored-service.ts'
