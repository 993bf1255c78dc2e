import { routerScreen } from './sms-router/router-screen.tsx'

/** Operations engineers decide which vendor carries codes and service texts, and move traffic when one fails. */
export default routerScreen('verify')
