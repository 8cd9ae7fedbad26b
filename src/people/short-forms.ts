import { foldName } from './folding.js';

/**
 * Common English short forms of first names, a given name first and what people call its bearers behind it. Facts of
 * usage, gathered here for want of a published list in the package registry: the well-known one of Old Dominion
 * University (github.com/carltonnorthern/nicknames, Apache-2.0) is not there, and holds many historical forms that
 * would join people who are not the same. A church adds its own by giving a person a nickname.
 */
const SHORT_FORMS = `
  Abigail: Abby, Gail
  Abraham: Abe
  Adelaide: Addie
  Albert: Al, Bert, Bertie
  Alexander: Alex, Al, Sandy, Xander
  Alexandra: Alex, Sandra, Sandy, Lexi
  Alfred: Al, Alf, Fred
  Alison: Ali, Allie
  Amanda: Mandy
  Andrea: Andie
  Andrew: Andy, Drew
  Angela: Angie
  Anthony: Tony
  Antoinette: Toni, Nettie
  Arthur: Art
  Barbara: Barb, Barbie, Babs
  Bartholomew: Bart
  Benjamin: Ben, Benny, Benji
  Bernard: Bernie
  Beverly: Bev
  Bradley: Brad
  Calvin: Cal
  Cameron: Cam
  Carolyn: Carol, Carrie
  Caroline: Carrie, Carol
  Catherine: Cathy, Cate, Cat
  Charles: Charlie, Chuck, Chas
  Charlotte: Charlie, Lottie
  Christina: Chris, Chrissy, Tina
  Christine: Chris, Chrissy, Tina
  Christopher: Chris, Kit, Topher
  Clifford: Cliff
  Cynthia: Cindy
  Daniel: Dan, Danny
  David: Dave, Davey
  Deborah: Deb, Debbie
  Dennis: Denny
  Donald: Don, Donny
  Dorothy: Dot, Dottie, Dolly
  Douglas: Doug
  Edmund: Ed, Eddie, Ned
  Edward: Ed, Eddie, Ted, Teddy, Ned
  Edwin: Ed, Eddie
  Eleanor: Ellie, Nell, Nellie, Nora
  Elizabeth: Liz, Lizzie, Beth, Betty, Betsy, Eliza, Libby, Lisa, Bess
  Emily: Em
  Ernest: Ernie
  Eugene: Gene
  Evelyn: Evie
  Florence: Flo
  Frances: Fran, Frannie
  Francis: Frank
  Franklin: Frank
  Frederick: Fred, Freddie, Rick
  Gabriel: Gabe
  Gabrielle: Gabby
  Gerald: Gerry, Jerry
  Geoffrey: Geoff
  Gilbert: Gil
  Gregory: Greg
  Gwendolyn: Gwen
  Harold: Hal, Harry
  Henry: Hank, Harry, Hal
  Herbert: Herb
  Howard: Howie
  Irving: Irv
  Isabella: Bella, Izzy
  Isabelle: Belle, Izzy
  Jacob: Jake
  Jacqueline: Jackie
  James: Jim, Jimmy, Jamie
  Janet: Jan
  Jeffrey: Jeff
  Jennifer: Jen, Jenny
  Jeremiah: Jerry
  Jeremy: Jerry
  Jerome: Jerry
  Jessica: Jess, Jessie
  Joanna: Jo
  Joanne: Jo
  John: Jack, Johnny
  Jonathan: Jon, Jonny
  Joseph: Joe, Joey
  Josephine: Jo, Josie
  Joshua: Josh
  Judith: Judy
  Julia: Julie
  Katherine: Kathy, Kate, Katie, Kay, Kat, Kitty
  Kathleen: Kathy, Kate, Katie
  Kathryn: Kathy, Kate, Katie, Kay
  Kenneth: Ken, Kenny
  Kimberly: Kim
  Kristina: Kris, Tina
  Lawrence: Larry
  Leonard: Leo, Len, Lenny
  Leslie: Les
  Lillian: Lil, Lilly
  Louis: Lou, Louie
  Louise: Lou
  Lucille: Lucy
  Madeline: Maddie
  Margaret: Maggie, Meg, Peggy, Marge, Margie, Greta, Peg
  Martin: Marty
  Matthew: Matt
  Maxwell: Max
  Melissa: Missy, Lissa
  Michael: Mike, Mick, Mickey
  Michelle: Shelly
  Mildred: Millie
  Mitchell: Mitch
  Nancy: Nan
  Natalie: Nat
  Nathan: Nate
  Nathaniel: Nate, Nathan
  Nicholas: Nick, Nicky
  Nicole: Nicky, Nikki
  Norman: Norm
  Oliver: Ollie
  Olivia: Liv, Livvy
  Pamela: Pam
  Patricia: Pat, Patty, Trish, Tricia
  Patrick: Pat, Paddy
  Penelope: Penny
  Peter: Pete
  Philip: Phil
  Phillip: Phil
  Priscilla: Cilla
  Rachel: Rach
  Raymond: Ray
  Rebecca: Becky, Becca
  Reginald: Reg, Reggie
  Richard: Rick, Rich, Dick, Ricky, Richie
  Robert: Bob, Rob, Bobby, Robbie, Bert
  Roberta: Bobbie
  Rodney: Rod
  Roger: Rog
  Ronald: Ron, Ronny
  Rosemary: Rose, Rosie
  Russell: Russ
  Samantha: Sam
  Samuel: Sam, Sammy
  Sandra: Sandy
  Sarah: Sally, Sadie
  Sebastian: Seb
  Sharon: Shari
  Sidney: Sid
  Solomon: Sol
  Stanley: Stan
  Stephanie: Steph
  Stephen: Steve
  Steven: Steve
  Stuart: Stu
  Susan: Sue, Susie, Suzy
  Suzanne: Sue, Suzy
  Sylvester: Sly
  Tamara: Tammy
  Teresa: Terry, Tess
  Terence: Terry
  Theodore: Ted, Teddy, Theo
  Theresa: Terry, Tess
  Thomas: Tom, Tommy
  Timothy: Tim, Timmy
  Valerie: Val
  Vanessa: Nessa
  Veronica: Ronnie
  Victor: Vic
  Victoria: Vicky, Tori
  Vincent: Vince, Vinny
  Virginia: Ginny
  Walter: Walt, Wally
  Wesley: Wes
  William: Bill, Will, Billy, Willie, Liam
  Zachary: Zach, Zack
`;

const GROUPS = SHORT_FORMS.trim()
  .split('\n')
  .map((line) => line.split(/[:,]/).map((name) => foldName(name)))
  .map((names) => names.filter((name) => name !== null));

const RELATED = new Map<string, Set<string>>();
for (const group of GROUPS) {
  for (const name of group) {
    const related = RELATED.get(name) ?? new Set<string>();
    for (const other of group) if (other !== name) related.add(other);
    RELATED.set(name, related);
  }
}

/**
 * The other folded first names by which bearers of this one may go: Thomas for Tom, Tom for Thomas, and Tommy for both.
 * Symmetric, and not carried on: Alexander and Alexandra are both Alex, and are not each other.
 */
export function shortFormsOf(foldedFirstName: string): readonly string[] {
  return [...(RELATED.get(foldedFirstName) ?? [])];
}
