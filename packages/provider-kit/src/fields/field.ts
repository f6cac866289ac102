import { pictureField, pictureListField, picturesField } from '../pictures/picture-field.ts'
import {
  aspectRatioField,
  choiceField,
  formField,
  numberField,
  textField,
  wholeNumberField,
} from './fields.ts'
import { providerOptionsField } from './provider-options.ts'

/**
 * Makes the schemas of fields. Their messages name the field and say what is accepted.
 * @example closedInput({ prompt: field.text('prompt', 4000), seed: v.optional(field.wholeNumber('seed', 0)) })
 */
export const field = {
  /** A text that is not blank. */
  text: textField,
  /** A text that matches a pattern. */
  form: formField,
  /** One of several texts or numbers. */
  choice: choiceField,
  /** A number within bounds. */
  number: numberField,
  /** A whole number within bounds. */
  wholeNumber: wholeNumberField,
  /** The field `aspect_ratio`, such as `16:9`. */
  aspectRatio: aspectRatioField,
  /** A picture, as a URL or a data URI. */
  picture: pictureField,
  /** One picture, or a list of them. */
  pictures: picturesField,
  /** A list of pictures. */
  pictureList: pictureListField,
  /** The field `provider_options`: those parameters of the vendor that the operator allows. */
  providerOptions: providerOptionsField,
}
