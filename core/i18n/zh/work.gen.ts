// Written by `npm run texts`; do not edit.
import config from './config.json'
import fields from './fields.json'
import list from './list.json'

/** Labels of fields, and the words of lists and configurations. */
export default {
  ...config,
  ...fields,
  ...list,
}
