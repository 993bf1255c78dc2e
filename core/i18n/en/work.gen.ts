// Written by `npm run texts`; do not edit.
import config from './config.json'
import fields from './fields.json'
import file from './file.json'
import list from './list.json'

/** Labels of fields, and the words of lists, forms and files. */
export default {
  ...config,
  ...fields,
  ...file,
  ...list,
}
