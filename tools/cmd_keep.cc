// crossriver backup and doctor: that runs are not lost.
#include <cstdio>
#include <memory>
#include <optional>

#include "selfplay/backup.h"
#include "selfplay/doctor.h"
#include "selfplay/run_store.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/run_folder.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct BackupFlags {
  std::string run;
  std::string file;
};

struct DoctorFlags {
  std::string run;
  bool look_only = false;
};

absl::Status RunBackup(const BackupFlags& flags) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(flags.run);
  if (!run.ok()) return run.status();
  const absl::StatusOr<BackupReport> report = BackupRun(*run, flags.file);
  if (!report.ok()) return report.status();
  for (const std::string& message : report->messages) std::printf("note: %s\n", message.c_str());
  std::printf("%s: %lld games, %lld checkpoints, %.1f MB; `tar xf` brings the run back\n",
              flags.file.c_str(), static_cast<long long>(report->games),
              static_cast<long long>(report->checkpoints),
              static_cast<double>(report->bytes) / 1e6);
  return absl::OkStatus();
}

absl::Status RunDoctor(const DoctorFlags& flags) {
  const absl::StatusOr<RunDirectory> run = flags.look_only
                                               ? RunDirectory::OpenReadOnly(flags.run)
                                               : RunDirectory::OpenForWriting(flags.run);
  if (!run.ok()) return run.status();
  std::unique_ptr<RunStore> store;
  absl::Status unwritable;
  if (!flags.look_only) {
    absl::StatusOr<std::unique_ptr<RunStore>> opened = RunStore::Open(*run);
    unwritable = opened.status();
    if (opened.ok()) store = *std::move(opened);
  }
  if (!unwritable.ok()) {
    std::printf("note: nothing is set aside, because the database can't be written to: %s\n",
                std::string(unwritable.message()).c_str());
  }
  if (auto names = VariantNamesOfRun(*run); !names.ok()) return names.status();
  // Without them there is still much to examine.
  const absl::StatusOr<VariantGroup> variants = VariantsOfRun(*run);
  DoctorOptions options;
  options.rules =
      [&variants](absl::string_view id) -> absl::StatusOr<std::shared_ptr<const Rules>> {
    const auto own = variants.ok() ? variants->FindById(id) : std::nullopt;
    if (own.has_value()) return (*variants)[*own];
    auto builtin = LoadVariantArgument(std::string(id));
    return builtin.ok() || variants.ok() ? builtin : variants.status();
  };
  const absl::StatusOr<DoctorReport> report = ExamineRun(*run, store.get(), options);
  if (!report.ok()) return report.status();
  std::printf("%s", report->Text().c_str());
  if (report->is_sound()) return unwritable;
  return absl::DataLossError("the run is not sound");
}

}  // namespace

void AddKeepCommands(CLI::App* app, Action* action) {
  auto backup = std::make_shared<BackupFlags>();
  CLI::App* command = app->add_subcommand("backup", "A run in one file, while it trains or not");
  command->add_option("run", backup->run, kRunHelp)->required();
  command->add_option("file", backup->file, "An archive (tar, zstd) that must not exist")
      ->required();
  command->footer("Example:\n  crossriver backup runs/mine mine.tar.zst");
  SetAction(command, backup, action, RunBackup);

  auto doctor = std::make_shared<DoctorFlags>();
  command = app->add_subcommand("doctor", "Check a run; set damaged games aside");
  command->add_option("run", doctor->run, kRunHelp)->required();
  command->add_flag("--look-only", doctor->look_only,
                    "Change nothing; possible while the run trains");
  command->footer("Example:\n  crossriver doctor runs/mine --look-only");
  SetAction(command, doctor, action, RunDoctor);
}

}  // namespace crossriver
