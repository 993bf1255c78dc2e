import actions from './actions.json'
import afterLoan from './afterLoan.json'
import audit from './audit.json'
import boot from './boot.json'
import common from './common.json'
import dict from './dict.json'
import errors from './errors.json'
import fields from './fields.json'
import file from './file.json'
import home from './home.json'
import list from './list.json'
import login from './login.json'
import machines from './machines.json'
import message from './message.json'
import order from './order.json'
import screens from './screens.json'
import shell from './shell.json'
import systems from './systems.json'
import validation from './validation.json'

/** Chinese, where keys are born: the other languages must have exactly these. */
export const words = {
  boot,
  common,
  list,
  fields,
  dict,
  errors,
  validation,
  actions,
  shell,
  systems,
  screens,
  order,
  audit,
  afterLoan,
  file,
  login,
  home,
  machines,
  message,
}
