using Wire;

var serializer = new Serializer(new SerializerOptions());
byte[] bytes = serializer.Serialize(new Order("Ada", ["pen", "ink"]));
PayloadNode order = PayloadDocument.Parse(bytes).Root;
WireContract contract = WireContract.From(serializer, typeof(Order));
ContractVerdict verdict = WireContract.Parse(contract.ToString()).CompareWith(contract).ReadsOld;
Console.WriteLine($"{order["Customer"].GetText()}, {order["Lines"].Count} lines, {verdict}");
Console.WriteLine(PayloadDump.Describe(bytes));

public sealed record Order(string Customer, List<string> Lines);
