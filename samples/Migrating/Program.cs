using System.Globalization;
using Migrating.ComingFrom;
using Shop;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

byte[] old = OldPayload.Create(17, "Ada", ["pen", "ink"]);
Order first = Orders.Read(old);
byte[] written = Orders.Write(first);
Order second = Orders.Read(written);
string file = Path.GetTempFileName();
File.WriteAllBytes(file, old);
Orders.ConvertFile(file);
bool isConverted = File.ReadAllBytes(file).AsSpan().SequenceEqual(written);
File.Delete(file);
Console.WriteLine($"BinaryFormatter: {old.Length} bytes, {OldPayload.Head(old)} ...: {Show(first)}");
Console.WriteLine($"Wire: {written.Length} bytes, {OldPayload.Head(written)} ...: {Show(second)}");
bool isRight = isConverted && Show(first) == "17 Ada pen, ink" && Show(second) == Show(first)
    && PayloadKind.IsBinaryFormatter(old) && !PayloadKind.IsWire(old) && !PayloadKind.IsHyperion(old)
    && PayloadKind.IsWire(written) && !PayloadKind.IsBinaryFormatter(written) && !PayloadKind.IsHyperion(written);

Console.WriteLine();
Console.WriteLine("What BinaryFormatter stored of .NET's types:");
isRight &= StoredMembers.Check();

Console.WriteLine();
Console.WriteLine("What BinaryFormatter's types become:");
isRight &= TypeTable.Check();

Console.WriteLine();
Console.WriteLine("What other serializers wrote:");
isRight &= Check.Run();
Console.WriteLine(isRight ? "Everything is as docs/migrating.md and docs/coming-from.md say." : "Something is not as these pages say.");
return isRight ? 0 : 1;

static string Show(Order order) => $"{order.Number} {order.Customer} {string.Join(", ", order.Articles)}";
