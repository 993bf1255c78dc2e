import type { Key } from '../../core/i18n/index.ts'

/** One person of the demo: how to sign in, and which post's rights the seed gives. */
export type DemoAccount = {
  loginId: string
  realName: string
  /** Name of the post. */
  post: Key
  role:
    | 'administrator'
    | 'auditLead'
    | 'auditor'
    | 'financeMaker'
    | 'financeChecker'
    | 'collectionLead'
    | 'collector'
    | 'customerService'
    | 'telemarketer'
    | 'merchantViewer'
  /** `initial`: must change the password; `frozen` and `left` cannot sign in. */
  state?: 'initial' | 'frozen' | 'left'
}

export const demoPassword = 'Nile-Boat-47'

/** The people that a demo offers at its sign-in. */
export const demoAccounts: readonly DemoAccount[] = [
  { loginId: 'admin', realName: 'Grace Nakato', post: 'login.post.administrator', role: 'administrator' },
  { loginId: 'audit.lead', realName: 'Samuel Okello', post: 'login.post.auditLead', role: 'auditLead' },
  { loginId: 'auditor1', realName: 'Brenda Namutebi', post: 'login.post.auditor', role: 'auditor' },
  { loginId: 'auditor2', realName: 'Isaac Mugisha', post: 'login.post.auditor', role: 'auditor' },
  { loginId: 'auditor3', realName: 'Ruth Akello', post: 'login.post.auditor', role: 'auditor' },
  { loginId: 'finance1', realName: 'Paul Ssemakula', post: 'login.post.financeMaker', role: 'financeMaker' },
  { loginId: 'finance2', realName: 'Irene Atuhaire', post: 'login.post.financeChecker', role: 'financeChecker' },
  { loginId: 'collect.lead', realName: 'Robert Wandera', post: 'login.post.collectionLead', role: 'collectionLead' },
  { loginId: 'collector1', realName: 'Winnie Adong', post: 'login.post.collector', role: 'collector' },
  { loginId: 'collector2', realName: 'Denis Tumusiime', post: 'login.post.collector', role: 'collector' },
  { loginId: 'collector3', realName: 'Juliet Nafula', post: 'login.post.collector', role: 'collector' },
  { loginId: 'cs1', realName: 'Patience Babirye', post: 'login.post.customerService', role: 'customerService' },
  { loginId: 'tele1', realName: 'Ivan Lubega', post: 'login.post.telemarketer', role: 'telemarketer' },
  { loginId: 'merchant1', realName: 'Florence Kembabazi', post: 'login.post.merchantViewer', role: 'merchantViewer' },
  { loginId: 'newbie', realName: 'Emmanuel Otim', post: 'login.post.newbie', role: 'auditor', state: 'initial' },
  { loginId: 'frozen1', realName: 'Moses Kasozi', post: 'login.post.frozen', role: 'auditor', state: 'frozen' },
  { loginId: 'left1', realName: 'Esther Nantongo', post: 'login.post.left', role: 'auditor', state: 'left' },
]
