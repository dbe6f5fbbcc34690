using Wire.Fuzz;
using Wire.Fuzz.Coverage;
using Wire.Fuzz.Running;
using Wire.Testing.Fuzzing;

const int Usage = 2;

if (FuzzOptions.Parse(args) is not { } options)
{
    Console.Error.WriteLine(FuzzOptions.Usage);
    return Usage;
}

if (options.Replay is { } file)
{
    Regression regression = Regression.Read(file);
    Target target = AllTargets.Find(regression.Target);
    Finding? finding = TargetAssert.Replay(target, regression.Input);
    Console.WriteLine(finding is null ? $"{target}: no promise is broken." : $"{target}: {finding.Signature}\n{finding.Message}");
    return finding is null ? 0 : 1;
}

if (options.IsWorker)
{
    var assemblies = InstrumentedAssemblies.Load();
    using var journal = new Journal(FuzzOptions.Work, assemblies.Sum(assembly => assembly.Blocks));
    new Worker(options, journal, new CoverageMap(assemblies, journal.Seen)).Run();
    return 0;
}

return new Supervisor(options).Run() == 0 ? 0 : 1;
