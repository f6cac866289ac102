import { refusals } from './error-responses.ts'
import { header, json, parameter, withKey } from './operations.ts'
import { closed, orNull } from './wire-schemas.ts'

const string = { type: 'string' }
const instant = { type: 'string', format: 'date-time' }

/** The upload object: see `uploadObject`. */
const Upload = closed({
  id: string,
  object: { type: 'string', enum: ['upload'] },
  url: { ...string, description: 'The value for an input in place of a URL.' },
  content_type: string,
  bytes: { type: 'integer' },
  sha256: orNull(string),
  created_at: instant,
  expires_at: instant,
})

/** The object with which the interface answers an upload. */
export const uploadSchemas = { Upload }

/** The operations for uploads, if clients can upload files. */
export const uploadOperations = {
  '/v1/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'Stores an image, video or audio file. The inputs of jobs refer to it by its `url`.',
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        201: json('The file is stored.', 'Upload'),
        ...refusals(
          ...withKey,
          'request_timeout',
          'request_too_large',
          'unsupported_media_type',
          'store_unavailable',
        ),
      },
    },
  },
  '/v1/uploads/{id}': {
    delete: {
      operationId: 'deleteUpload',
      summary: 'Deletes an upload.',
      parameters: [parameter('uploadId')],
      responses: {
        204: { description: 'The upload is deleted.', headers: header('x-request-id') },
        ...refusals(...withKey, 'file_not_found', 'store_unavailable'),
      },
    },
  },
}
