import { dictionary } from '../fields.ts'

/** What a reviewer may decide of a review task. */
export const auditResults = dictionary('AUDIT_RESULT', ['pass', 'refuse', 'sent_back'])
/** Whether the selfie shows the person of the identity document, as the reviewer sees it. */
export const faceConsistencies = dictionary('FACE_CONSISTENCY', ['consistent', 'inconsistent', 'unsure'])
/** Why a reviewer gives a task back to the queue. */
export const sendBackReasons = dictionary('SEND_BACK_REASON', ['materials', 'unreachable', 'not_mine', 'other'])
/** How a call to the applicant ended. */
export const followResults = dictionary('FOLLOW_RESULT', [
  'confirmed',
  'denied',
  'no_answer',
  'off',
  'wrong_number',
  'refused_talk',
  'call_back',
])
