import { signIn } from '../../core/contract/user/sign-in.ts'
import { user } from '../../core/contract/user/user.ts'
import { screen } from '../../core/engine/screen.ts'
import { Login } from './login-form.tsx'

/** Every member of staff signs in here, and comes back here when a session has ended. */
export default screen([...Object.values(signIn), user.languages, user.demoAccounts], () => <Login />)
