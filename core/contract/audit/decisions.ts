import { dictionary } from '../fields.ts'

export const auditResults = dictionary('AUDIT_RESULT', ['pass', 'refuse', 'sent_back'])
export const faceConsistencies = dictionary('FACE_CONSISTENCY', ['consistent', 'inconsistent', 'unsure'])
export const sendBackReasons = dictionary('SEND_BACK_REASON', ['materials', 'unreachable', 'not_mine', 'other'])
export const followResults = dictionary('FOLLOW_RESULT', [
  'confirmed',
  'denied',
  'no_answer',
  'off',
  'wrong_number',
  'refused_talk',
  'call_back',
])
