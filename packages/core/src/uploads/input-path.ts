/** The path of the link by which a provider reads an upload that belongs to the input of a job. */
export const inputPath = '/v1/inputs/:job/:token/:name'
