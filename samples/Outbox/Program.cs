using System.Globalization;
using Microsoft.Data.Sqlite;
using Shop;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

string folder = Directory.CreateTempSubdirectory("wire-outbox").FullName;
try
{
    using Broker broker = Broker.Find();
    string file = Path.Combine(folder, "shop.db");
    await FirstProgram.RunAsync(broker.Uri.ToString(), file);
    await Hosted.RunAsync(broker.Uri, file);
    await OnEntityFramework.RunAsync(Path.Combine(folder, "context.db"));
    if (args is ["throughput"])
    {
        await Throughput.RunAsync(broker.Uri.ToString(), Path.Combine(folder, "throughput.db"));
    }

    return 0;
}
catch (InvalidOperationException wrong)
{
    Console.Error.WriteLine(wrong.Message);
    return 1;
}
finally
{
    SqliteConnection.ClearAllPools();
    Directory.Delete(folder, recursive: true);
}
