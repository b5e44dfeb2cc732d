/** Something is not as promised; the message is the sentence that says what. */
export class Broken extends Error {
  override readonly name = 'Broken'
}
