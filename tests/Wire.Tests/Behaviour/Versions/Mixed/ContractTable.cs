namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>
/// Twenty types of a shop in four releases. A line is a member, with its type in each release; <c>-</c> where a release does not have it,
/// and <c>type:Name</c> where the member has been renamed, and keeps its old name by [WireName].
/// </summary>
internal static class ContractTable
{
    public const int Releases = 4;

    /// <summary>The types of messages: those of which a release has values of its own.</summary>
    public static readonly string[] Roots =
    [
        "Numbers", "Texts", "Line", "Order", "OrderPlaced", "OrderCancelled", "Customer", "Supplier", "Address", "Delivery", "Node", "Maps",
        "Sets", "Maybes", "Drawing", "Path", "Rights", "Bill", "Stock", "Event",
    ];

    private const string Text = """
        enum State int int int byte
          Unknown 0 0 0 0
          Draft - - 1 1
          Open 1 1 2 2
          Paid 2 2 3 3:Settled
          Shipped - 3 4 4
        enum Kind int int int long
          Plain 0 0 0 0
          Gift 1 1 1 1
          Sample 2 - - -
          Return - - 2 2
        flags Access int int int ulong
          Read 1 1 2 2
          Write 2 2 4 4
          Delete - 4 1 1
        struct Point
          X int int long double
          Y int int int int
          Z - - int int
        sealed Tag
          Name string string string string
          Weight int float double int
          Color - string string -
        class Numbers
          Id int int long long
          Small short int byte long
          Rate float double float double
          Price decimal decimal long decimal
          Count uint long int ulong
          Level byte int sbyte Int128
          Last int? int int? long?
        class Texts
          Subject string string string string
          Body string string - -
          Footer - string string string
          From string string string:Sender string:Sender
          OldName string string - -
          NewName - - string string
        class Line
          Article string string string string
          Pieces int int int long
          Price - - decimal decimal
        class Order
          Id int int long long
          Lines Line[] List<Line> IReadOnlyList<Line> List<Line>
          State State State State State
          Tags List<Tag> Tag[] Queue<Tag> ImmutableArray<Tag>
          Total decimal decimal decimal decimal
        abstract Message
          Number int int long long
        class OrderPlaced : Message
          Order Order Order Order Order
          Kind Kind Kind Kind Kind
        class OrderCancelled : Message from 2
          Reason - string string string
          Code - - State State
        class Party
          _name string string string string
          _since int int int int
        class Customer : Party
          _name string string - -
          Points int int int int
        abstract Firm
          Name string string string string
          Country - - string string
        class Supplier : Firm
          Country string string - -
          Rating byte int int decimal
        class Address renamed Location at 3
          Street string string string string
          City string string string:Town string:Town
          Floor int? short? int? sbyte?
        class Delivery
          To Address Address Address Address
          Stops Address[] List<Address> List<Address> Address[]
          At Point Point Point Point
        class Node
          Value int int long long
          Children List<Node> Node[] List<Node> IReadOnlyList<Node>
        class Maps
          Counts Dictionary<string,int> SortedDictionary<string,int> IReadOnlyDictionary<string,long> Dictionary<string,long>
          ByState Dictionary<State,int> Dictionary<State,int> Dictionary<State,int> SortedDictionary<State,int>
          Points Dictionary<int,Point> Dictionary<int,Point> Dictionary<long,Point> ImmutableDictionary<long,Point>
        class Sets
          Ids HashSet<int> List<int> long[] HashSet<long>
          Names HashSet<string> SortedSet<string> HashSet<string> ImmutableHashSet<string>
          States HashSet<State> HashSet<State> State[] List<State>
        class Maybes
          State State State? State? State
          At Point? Point? Point? Point?
          Amount decimal? decimal? long? decimal?
          Kinds Kind?[] List<Kind?> List<Kind> Kind[]
        abstract Shape
          Name string string string string
        class Circle : Shape
          Radius float float double double
        class Square : Shape
          Side int long int long
        class Triangle : Shape from 3
          Sides - - int[] List<int>
        class Drawing
          Shapes List<Shape> Shape[] List<Shape> List<Shape>
          Main Shape Shape Shape Shape
        class Path
          Points Point[] List<Point> Point[] ImmutableArray<Point>
          Closed - byte byte int
          Title string string string:Caption string:Caption
        class Rights
          Own Access Access Access Access
          ByUser Dictionary<string,Access> Dictionary<string,Access> Dictionary<string,Access> Dictionary<string,Access>
          All Access[] List<Access> Access[] Access[]
        class Bill
          Kind Kind int Kind short
          State State byte State int
          Sum long decimal decimal double
        class Stock
          Tag Tag Tag Tag Tag
          Levels int[] int[] long[] short[]
          Ratios float[] double[] List<double> float[]
          Grid int[][] List<int[]> int[][] List<List<int>>
        class Event
          Source Party Party Party Party
          Message Message Message Message Message
          Note string - string -
        """;

    /// <summary>The declarations of a release, from 1.</summary>
    public static Declarations Parse(int release)
    {
        Dictionary<string, EnumDeclaration> enums = [];
        Dictionary<string, TypeDeclaration> types = [];
        string[] lines = Text.Split('\n');
        HashSet<string> enumNames = [.. lines.Select(Words).Where(words => words[0] is "enum" or "flags").Select(words => words[1])];
        for (int i = 0; i < lines.Length;)
        {
            string[] head = Words(lines[i++]);
            List<string[]> rows = [];
            while (i < lines.Length && lines[i].StartsWith(' '))
            {
                rows.Add(Words(lines[i++]));
            }

            string[][] cells = [.. rows.Where(row => row[release] != "-").Select(row => (string[])[row[0], .. row[release].Split(':')])];
            if (enumNames.Contains(head[1]))
            {
                enums[head[1]] = new(
                    head[1],
                    Form.Numbers[head[1 + release]],
                    head[0] == "flags",
                    [
                        .. cells.Select(cell => new EnumMember(
                            cell.Length > 2 ? cell[2] : cell[0], cell[0], long.Parse(cell[1], null))),
                    ]);
            }
            else if (After(head, "from") is not { } first || release >= int.Parse(first, null))
            {
                string name = After(head, "at") is { } since && release >= int.Parse(since, null) ? After(head, "renamed")! : head[1];
                types[head[1]] = new(
                    head[1],
                    name,
                    Enum.Parse<TypeKind>(head[0], ignoreCase: true),
                    After(head, ":"),
                    [
                        .. cells.Select(cell => new MemberDeclaration(
                            cell.Length > 2 ? cell[2] : cell[0], cell[0], Form.Parse(cell[1], enumNames.Contains))),
                    ]);
            }
        }

        return new(release, enums, types);
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static string? After(string[] words, string word) =>
        Array.IndexOf(words, word) is >= 0 and int at ? words[at + 1] : null;
}
