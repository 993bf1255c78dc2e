/** Passwords that are tried first everywhere, in lower case, of eight characters or more. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 123123123 1234qwer 12344321 11223344 87654321 987654321 00000000 11111111 88888888 66666666 147258369
  a1b2c3d4 abc12345 abcd1234 abcdefgh access14 admin123 admin1234 administrator asdf1234 asdfasdf asdfghjk asdfghjkl baseball basketball
  blink182 butterfly changeme changeme123 charlie1 chocolate computer corvette dragon123 elephant facebook football football1 freedom1
  google123 hello123 hello1234 iloveyou iloveyou1 internet jennifer kampala1 kampala123 kampala256 letmein1 letmein123 liverpool
  login123 master123 michael1 michelle mobilemoney money123 monkey123 mustang1 newpassword nirvana1 p@ssw0rd p@ssword pass1234 pass12345
  passw0rd password password! password1 password1! password12 password123 password1234 password@123 pokemon123 princess princess1
  q1w2e3r4 q1w2e3r4t5 qazwsxedc qwer1234 qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop samantha secret123 shadow123 starwars
  sunshine superman superman1 test1234 testtest trustno1 uganda123 uganda256 username welcome1 welcome123 welcome@123 whatever
  william1 zaq12wsx zxcvbnm1 zxcvbnm123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2`.split(/\s+/),
)
