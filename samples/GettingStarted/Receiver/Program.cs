#region usings
using Shop;
using Wire;
#endregion

if (args is ["context"])
{
    WithContext.Run();
    return;
}

if (args is [_, ..])
{
    await Queue.ReceiveAsync(args[0]);
    return;
}

#region receiver
var serializer = new Serializer(new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
});

byte[] bytes = File.ReadAllBytes("messages.bin");
foreach (Message message in serializer.Deserialize<Message[]>(bytes)!)
{
    Console.WriteLine(message);
}
#endregion

#region dump
Console.WriteLine(PayloadDump.Describe(bytes));
#endregion
