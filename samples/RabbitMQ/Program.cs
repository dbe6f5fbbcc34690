using System.Globalization;
using Shop;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

try
{
    using Broker broker = Broker.Find();
    await Tour.RunAsync(broker.Uri);
    Console.WriteLine();
    return await Throughput.RunAsync(broker.Uri) ? 0 : 1;
}
catch (InvalidOperationException wrong)
{
    Console.Error.WriteLine(wrong.Message);
    return 1;
}
