/** Uganda: 256, a nonzero digit, eight digits. */
export const phoneFormat = /^256[1-9]\d{8}$/
/** A short or toll-free number, as operators give them out: three to ten digits. */
export const shortLineFormat = /^\d{3,10}$/
/** Uganda national ID: CF or CM in any case, then twelve letters or digits. */
export const idNumberFormat = /^C[FM][A-Z0-9]{12}$/i
/** Bank verification number: eleven digits. */
export const bvnFormat = /^\d{11}$/
/** An amount of 0 or more with at most two decimals, as it stands on the wire: no separators, no exponent. */
export const moneyFormat = /^\d{1,16}(\.\d{1,2})?$/
/** {@link moneyFormat} where a field allows a leading minus. */
export const signedMoneyFormat = /^-?\d{1,16}(\.\d{1,2})?$/
/** A percentage from 0 to 100 with at most four decimals: all rates of a product are in percent. */
export const rateFormat = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/
/** Letters plus digits, at least one of each. */
export const jobNoFormat = /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9]{6,8}$/
/** An e-mail address as it is commonly used; not all that RFC 5321 allows. */
export const emailFormat = /^[A-Za-z0-9._%+-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/
/** A sign-in name: 4 to 32 letters, digits and `. _ @ -`. */
export const loginIdFormat = /^[A-Za-z0-9._@-]{4,32}$/
/** A bank account number: 6 to 20 digits. */
export const bankCardNoFormat = /^\d{6,20}$/
/** A channel's own transaction number: printable, no spaces. */
export const serialNoFormat = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}$/
/** Most characters of a remark. */
export const remarkMax = 30
/** Most characters of a task's name. */
export const taskNameMax = 30
/** Counted in characters as people see them, not in UTF-16 units. */
export const remarkFormat = new RegExp(`^.{0,${remarkMax}}$`, 'su')
/** The name of a task: not blank, at most {@link taskNameMax} characters. */
export const taskNameFormat = new RegExp(`^(?=.*\\S).{1,${taskNameMax}}$`, 'su')

/** Each format with the text key, and what goes into it, of what to say when a value does not have it. */
export const formats = {
  phone: { pattern: phoneFormat, message: 'validation.phoneFormat' },
  idNumber: { pattern: idNumberFormat, message: 'validation.idNumberFormat' },
  money: { pattern: moneyFormat, message: 'validation.moneyFormat' },
  signedMoney: { pattern: signedMoneyFormat, message: 'validation.signedMoneyFormat' },
  rate: { pattern: rateFormat, message: 'validation.rateFormat' },
  jobNo: { pattern: jobNoFormat, message: 'validation.jobNoFormat' },
  email: { pattern: emailFormat, message: 'validation.emailFormat' },
  loginId: { pattern: loginIdFormat, message: 'validation.loginIdFormat' },
  bankCardNo: { pattern: bankCardNoFormat, message: 'validation.bankCardFormat' },
  serialNo: { pattern: serialNoFormat, message: 'validation.serialNoFormat' },
  remark: { pattern: remarkFormat, message: 'validation.remarkTooLong', params: { max: remarkMax } },
  taskName: { pattern: taskNameFormat, message: 'validation.taskNameFormat', params: { max: taskNameMax } },
} as const satisfies Record<
  string,
  { pattern: RegExp; message: `validation.${string}`; params?: Record<string, number> }
>

/** The name of a format. */
export type FormatName = keyof typeof formats
