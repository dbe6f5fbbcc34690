using System.Globalization;
using Shop;

#region pool
// RabbitMQ.Client rents the memory of each message from .NET's shared pool on one thread and returns it on another. The pool keeps 32
// arrays of a size for each core, and allocates for what is under way beyond that. It looks here when it is first used.
const string ArraysPerCore = "DOTNET_SYSTEM_BUFFERS_SHAREDARRAYPOOL_MAXARRAYSPERPARTITION";
if (Environment.GetEnvironmentVariable(ArraysPerCore) is null)
{
    Environment.SetEnvironmentVariable(ArraysPerCore, "512");
}
#endregion

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

try
{
    using Broker broker = Broker.Find();
    await FirstProgram.RunAsync(broker.Uri.ToString());
    await Tour.RunAsync(broker.Uri);
    await Failures.RunAsync(broker.Uri);
    await Conventions.RunAsync(broker.Uri);
    await Bodies.RunAsync(broker.Uri);
    await Pipelines.RunAsync(broker.Uri);
    await Gathered.RunAsync(broker.Uri);
    await Hosting.RunAsync(broker.Uri);
    Console.WriteLine();
    return await Throughput.RunAsync(broker.Uri) ? 0 : 1;
}
catch (InvalidOperationException wrong)
{
    Console.Error.WriteLine(wrong.Message);
    return 1;
}
