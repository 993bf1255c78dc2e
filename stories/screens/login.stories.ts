import { act, press, type } from '../act.ts'
import { asks } from '../fixtures/sign-in.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Sign in/Sign in/At work', tags: ['!autodocs'] }
const tag = 'mkopo-portal-login'

const signIn = (username: string) => [
  type('username', username),
  type('current-password', 'Nile-Boat-47'),
  press('login.signIn'),
]

/** After failures, or where the policy asks for it: a puzzle before the password is looked at, by mouse, touch or keys. */
export const Puzzle = acted(tag, act(...signIn(asks.slide)))
/** The code of the authenticator, which everybody shows. */
export const Authenticator = acted(tag, act(...signIn('samuel.okello')))
/** The policy of an organization asks for a code by e-mail or text before it: where to? */
export const CodeChannels = acted(tag, act(...signIn(asks.code)))
/** The code was sent; another one goes in a minute. */
export const CodeSent = acted(tag, act(...signIn(asks.code), press('login.codeSend')))
/** The policy asks for a code, and there is nowhere to send it. */
export const NoChannel = acted(tag, act(...signIn(asks.noChannel)))
/** A new employee binds an authenticator: its drawing, its secret, and the clock. */
export const Binding = acted(tag, act(...signIn(asks.bind)))
/** It is bound: ten codes for the day when the phone is lost, shown once. */
export const RecoveryCodes = acted(tag, act(...signIn(asks.bind), type('one-time-code', '492039')))
/** A password that may not stay is changed. */
export const MustChange = acted(tag, act(...signIn(asks.change)))
