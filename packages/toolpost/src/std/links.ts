// Doubly linked lists whose members carry their own links: put in and take out in constant time, no wrapper made.
// A list is a Link that stands for both ends; a member is an object of a class that extends Link.
// A link must not be on two lists at once.

export class Link {
  previous: Link = this;
  next: Link = this;
}

/** Whether nothing is on the list, or the link is on no list. */
export function isAlone(link: Link): boolean {
  return link.next === link;
}

/** Puts a link that is on no list at the end. */
export function append(list: Link, link: Link): void {
  link.previous = list.previous;
  link.next = list;
  list.previous.next = link;
  list.previous = link;
}

/** Takes a link off its list; does nothing when it is on none. */
export function unlink(link: Link): void {
  link.previous.next = link.next;
  link.next.previous = link.previous;
  link.previous = link;
  link.next = link;
}

/** All members, in order, as they are now. */
export function membersOf<Member extends Link>(list: Link): Member[] {
  const members: Member[] = [];
  for (let link = list.next; link !== list; link = link.next) members.push(link as Member);
  return members;
}

/** Moves all members, in order, to a new list, so that members added meanwhile are told apart. */
export function takeAll(list: Link): Link {
  const taken = new Link();
  if (isAlone(list)) return taken;
  append(list, taken);
  unlink(list);
  return taken;
}
