// What stands in place of a secret.
// It must not look like one itself: masked text may be masked again.

export const secretMark = "[secret]";
